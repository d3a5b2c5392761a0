/** Registers search attributes, which the server must know before a process can set them. */
import { temporal as protobuf } from '@temporalio/proto';
import { config } from '../../config.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/contracts/searchAttributes.js';
import { temporal } from './client.js';

const { INDEXED_VALUE_TYPE_KEYWORD } = protobuf.api.enums.v1.IndexedValueType;

/** Registers missing search attributes. Safe to run at every start, and concurrently. */
export async function registerSearchAttributes(): Promise<void> {
  const missing = await missingAttributes();
  if (missing.length === 0) return;
  try {
    await temporal().connection.operatorService.addSearchAttributes({
      namespace: config.TEMPORAL_NAMESPACE,
      searchAttributes: Object.fromEntries(missing.map((name) => [name, INDEXED_VALUE_TYPE_KEYWORD])),
    });
  } catch (error) {
    // Ignore the error if a concurrent start has registered the attributes.
    if ((await missingAttributes()).length > 0) throw error;
  }
}

async function missingAttributes(): Promise<string[]> {
  const { customAttributes } = await temporal().connection.operatorService.listSearchAttributes({
    namespace: config.TEMPORAL_NAMESPACE,
  });
  return SEARCH_ATTRIBUTES.map(({ name }) => name).filter((name) => !(name in customAttributes));
}
