import { createTheme, type MantineThemeOverride } from '@mantine/core';

const SERIF = "'Iowan Old Style', 'Palatino Linotype', Palatino, 'Book Antiqua', Georgia, serif";
const SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const MONOSPACE = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";

/** Shades of ink, from the lightest to the darkest. */
const ink = [
  '#f1f4fb',
  '#dfe5f3',
  '#bcc8e6',
  '#96a9d9',
  '#768ecd',
  '#5f7bc2',
  '#4c66ab',
  '#405791',
  '#344777',
  '#25345c',
] as const;

/** One scale of type, one of spacing, one colour. The build writes it into a style sheet. */
export const theme: MantineThemeOverride = createTheme({
  colors: { ink },
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  fontFamily: SANS,
  fontFamilyMonospace: MONOSPACE,
  autoContrast: true,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1.125rem', xl: '1.375rem' },
  headings: {
    fontFamily: SERIF,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.25' },
      h2: { fontSize: '1.25rem', lineHeight: '1.35' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.4' },
    },
  },
});
