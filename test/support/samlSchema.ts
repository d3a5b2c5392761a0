/** The schemas of SAML 2.0 (OASIS, W3C), for what we write and what providers of the tests write. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { validateXML } from 'xmllint-wasm';

const FOLDER = path.join(__dirname, 'saml-schemas');

/** Imports name addresses on the web; the files beside have the same names. */
const files = readdirSync(FOLDER).map((fileName) => ({
  fileName,
  contents: readFileSync(path.join(FOLDER, fileName), 'utf8')
    .replaceAll(/schemaLocation=(["'])https?:[^"']*\//g, 'schemaLocation=$1')
    .replace(/<!DOCTYPE[^[]*\[[\s\S]*?\]>/, ''),
}));

/** @returns what is wrong with it; empty: it is valid */
export async function schemaProblems(xml: string, schema: 'metadata' | 'protocol'): Promise<string[]> {
  const fileName = `saml-schema-${schema}-2.0.xsd`;
  const { errors } = await validateXML({
    xml: { fileName: 'given.xml', contents: xml },
    schema: files.filter((file) => file.fileName === fileName),
    preload: files.filter((file) => file.fileName !== fileName),
  });
  return errors.map(({ message }) => message);
}
