import {
  convertCssVariables,
  defaultCssVariablesResolver,
  mergeMantineTheme,
  DEFAULT_THEME,
} from '@mantine/core';
import type { Plugin } from 'vite';
import { theme } from '../src/theme.js';

const name = 'virtual:theme.css';

/**
 * The colours and sizes of the theme as a style sheet. Mantine would write them into a `<style>` element while the page runs,
 * which the content security policy refuses.
 */
export function themeVariables(): Plugin {
  return {
    name: 'theme-variables',
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load: (id) => (id === `\0${name}` ? variables() : null),
  };
}

function variables(): string {
  return convertCssVariables(defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme)), ':root');
}
