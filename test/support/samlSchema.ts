/** The schemas of SAML 2.0 (OASIS, W3C), for our messages and those of the tests' providers. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { validateXML } from 'xmllint-wasm';

const FOLDER = path.join(__dirname, 'saml-schemas');

/** Imports use web addresses; the files beside have the same names. */
const files = readdirSync(FOLDER).map((fileName) => ({
  fileName,
  contents: readFileSync(path.join(FOLDER, fileName), 'utf8')
    .replaceAll(/schemaLocation=(["'])https?:[^"']*\//g, 'schemaLocation=$1')
    .replace(/<!DOCTYPE[^[]*\[[\s\S]*?\]>/, ''),
}));

/** Values that differ between documents of the same form; a document of another form is validated anew. */
const VARIABLE: [RegExp, string][] = [
  [/"_[0-9a-f-]{20,}"/g, '"_id"'],
  [/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z"/g, '"instant"'],
  [/(?<=\/saml\/)saml-[0-9a-z-]+(?=\/)/g, 'slug'],
];
const known = new Map<string, Promise<string[]>>();

/**
 * A validation costs more than a whole sign-in: documents that differ only in ids, times and our slugs are validated once.
 * @returns the errors; empty: the document is valid
 */
export function schemaProblems(xml: string, schema: 'metadata' | 'protocol'): Promise<string[]> {
  const shape = VARIABLE.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), `${schema} ${xml}`);
  let problems = known.get(shape);
  if (!problems) known.set(shape, (problems = validate(xml, schema)));
  return problems;
}

async function validate(xml: string, schema: 'metadata' | 'protocol'): Promise<string[]> {
  const fileName = `saml-schema-${schema}-2.0.xsd`;
  const { errors } = await validateXML({
    xml: { fileName: 'given.xml', contents: xml },
    schema: files.filter((file) => file.fileName === fileName),
    preload: files.filter((file) => file.fileName !== fileName),
  });
  return errors.map(({ message }) => message);
}
