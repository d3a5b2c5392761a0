import type { Migration } from '../../schemaFiles.js';

/** Adds an index that finds the processor events of a charge. */
export const up: Migration['up'] = ({ run }) =>
  run(
    `CREATE INDEX webhook_events_charge ON webhook_events (organization_id, processor_id, (payload->>'intentId'), id);`,
  );

export const down: Migration['down'] = ({ run }) => run('DROP INDEX webhook_events_charge;');
