import type { Migration } from '../../schemaFiles.js';

/** What a processor told of a charge is found by the charge. */
export const up: Migration['up'] = ({ run }) =>
  run(
    `CREATE INDEX webhook_events_charge ON webhook_events (organization_id, processor_id, (payload->>'intentId'), id);`,
  );

export const down: Migration['down'] = ({ run }) => run('DROP INDEX webhook_events_charge;');
