/** Search attributes must be known to the server before a process can carry them. */
import { temporal as protobuf } from '@temporalio/proto';
import { config } from '../../config.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/contracts/searchAttributes.js';
import { temporal } from './client.js';

const { INDEXED_VALUE_TYPE_KEYWORD } = protobuf.api.enums.v1.IndexedValueType;

/** Registers what is missing. Safe to run at every start. */
export async function registerSearchAttributes(): Promise<void> {
  const { operatorService } = temporal().connection;
  const namespace = config.TEMPORAL_NAMESPACE;
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = SEARCH_ATTRIBUTES.map(({ name }) => name).filter((name) => !(name in customAttributes));
  if (missing.length === 0) return;
  await operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, INDEXED_VALUE_TYPE_KEYWORD])),
  });
}
