import type { Migration } from '../../schemaFiles.js';

/** Creates posts of organizations at the professional network. */
export const up: Migration['up'] = ({ runFiles }) => runFiles(__dirname, ['social-posts']);

export const down: Migration['down'] = ({ run }) => run('DROP TABLE social_posts;');
