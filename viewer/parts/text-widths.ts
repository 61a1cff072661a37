import type { TextWidths } from '../model/text-fit.ts';

/** The fonts of the style sheet. */
const WORDS = '13px';
const DATA = '11.5px';

/** Measures texts as the browser draws them: each character once, because an execution has millions of them. */
export function textWidths(): TextWidths {
  const body = getComputedStyle(document.body);
  const mono = getComputedStyle(document.documentElement).getPropertyValue('--mono');
  return { words: widthIn(`${WORDS} ${body.fontFamily}`), data: widthIn(`${DATA} ${mono}`) };
}

function widthIn(font: string): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return (text) => text.length * 8;
  context.font = font;
  const known = new Map<string, number>();
  return (text) => {
    let width = 0;
    for (const character of text) {
      const found = known.get(character) ?? context.measureText(character).width;
      known.set(character, found);
      width += found;
    }
    return width;
  };
}
