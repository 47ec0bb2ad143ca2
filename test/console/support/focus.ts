import type { Page } from 'playwright-core';

/**
 * Whether the focus makes a difference to the eye. The styles of the focused element, and of what may be drawn in
 * its place (what it stands in, siblings, labels), are compared with those after it loses the focus, which it then gets back.
 */
const isFocusSeen = `(() => {
  const element = document.activeElement;
  if (!element.matches(':focus-visible')) return false;
  const { parentElement: parent } = element;
  const drawn = [element, parent, parent.parentElement, ...parent.children, ...(element.labels ?? [])];
  const lookOf = (place) => {
    const style = getComputedStyle(place);
    // What has no width or style is not drawn, whatever its colour is.
    const lineOf = (prefix) =>
      style[prefix + 'Style'] === 'none' || style[prefix + 'Width'] === '0px'
        ? 'none'
        : [style[prefix + 'Style'], style[prefix + 'Width'], style[prefix + 'Color']].join(' ');
    const lines = ['outline', 'borderTop', 'borderRight', 'borderBottom', 'borderLeft'].map(lineOf);
    return [...lines, style.boxShadow, style.backgroundColor, style.backgroundImage, style.textDecorationLine].join();
  };
  const looks = () => {
    drawn.forEach(lookOf);
    // Otherwise styles that change slowly would still be the earlier ones.
    document.getAnimations().forEach((animation) => animation instanceof CSSTransition && animation.finish());
    return drawn.map((place) => (place.checkVisibility({ opacityProperty: true }) ? lookOf(place) : 'not visible')).join(' | ');
  };
  const withFocus = looks();
  element.blur();
  const without = looks();
  element.focus({ preventScroll: true });
  return withFocus !== without;
})()`;

/** Whether one sees which element has the focus. */
export function showsFocus(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(isFocusSeen);
}

/** Removes every outline and shadow that tells the focus, until the page is loaded again. */
export async function hideFocus(page: Page): Promise<void> {
  // The content security policy allows no style elements.
  await page.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':focus-visible, :focus-visible + * { outline: none !important; box-shadow: none !important; }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  })()`);
}
