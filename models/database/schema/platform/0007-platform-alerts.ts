import type { Migration } from '../../schemaFiles.js';

/** Creates alerts of the platform's operators to the organizations. */
export const up: Migration['up'] = ({ runFiles }) => runFiles(__dirname, ['alerts']);

export const down: Migration['down'] = ({ run }) => run('DROP TABLE platform_alerts;');
