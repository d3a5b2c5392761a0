/** The documentation pages for people, and helpers that parse them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const below = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name));

export const PAGES = ['README.md', 'CONTRIBUTING.md', ...below('docs')].filter((page) => existsSync(page)).sort();

export const read = (page: string): string => readFileSync(page, 'utf8');

/** A page without its code: fenced, indented or in backticks. */
export const prose = (text: string): string =>
  text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/(`+)[^]*?\1/g, (code) => code.replaceAll(/[[\]()#]/g, ''));

/** The texts in backticks and in fenced blocks. */
export function codeOf(text: string): string[] {
  const fenced = [...text.matchAll(/^```\w*\n([^]*?)^```$/gm)].map(([, code]) => code as string);
  const others = text.replaceAll(/^```[^]*?^```$/gm, '');
  return [...fenced, ...[...others.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string)];
}

/** The anchors of headings, as GitHub makes them. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)) {
    const plain = (heading as string).replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}
