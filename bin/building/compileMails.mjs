/** Compiles mail templates at build time, so that the running platform does not need their compilers. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = 'gateways/mail/templates';

/** Only these helpers are known, so that a misspelt one fails the build. */
const OPTIONS = { knownHelpers: { if: true, each: true }, knownHelpersOnly: true };

/** Matches mjml's complaint about a placeholder for a color, which is filled in only when a mail is rendered. */
const LATER = /invalid value: \{\{[\w.]+\}\} for type Color/;

/** Writes a module with the functions `html` and `text`, compiled from `mail.mjml` and `mail.txt.hbs`. */
export async function compileMails(root, target) {
  const [html, text, lock] = [`${FOLDER}/mail.mjml`, `${FOLDER}/mail.txt.hbs`, 'package-lock.json'].map((file) =>
    readFileSync(path.join(root, file), 'utf8'),
  );
  const digest = `// ${createHash('sha256').update(`${html}\0${text}\0${lock}`).digest('hex')}\n`;
  if (existsSync(target) && readFileSync(target, 'utf8').startsWith(digest)) return;
  console.log('Compiling the templates of mail …');
  // Loaded on demand: they are large, and usually the templates are compiled already.
  const { default: handlebars } = await import('handlebars');
  const functions = {
    html: handlebars.precompile(await htmlOf(html), OPTIONS),
    text: handlebars.precompile(text, { ...OPTIONS, noEscape: true }),
  };
  const lines = Object.entries(functions).map(
    ([name, code]) => `exports.${name} = template(${/** @type {string} */ (code)});`,
  );
  writeFileSync(target, `${digest}const { template } = require('handlebars/runtime');\n${lines.join('\n')}\n`);
}

async function htmlOf(source) {
  const [core, preset] = await Promise.all([import('mjml-core'), import('mjml-preset-core')]);
  const { html, errors } = await core.default.default(source, {
    presets: [preset.default],
    validationLevel: 'soft',
  });
  const faults = errors.map(({ formattedMessage }) => formattedMessage).filter((fault) => !LATER.test(fault));
  if (faults.length > 0) throw new Error(faults.join('\n'));
  // Remove the indentation, which serves only readers of the source.
  return html.replaceAll(/\n\s+/g, '\n');
}
