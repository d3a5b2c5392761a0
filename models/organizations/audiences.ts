/** Audiences of notifications within an organization. */
import { defineAudiences } from '../notifications/audiences.js';

export const audiences = defineAudiences({
  everyone: 'people_of_organization',
  chapter: 'people_of_chapter',
  region: 'people_of_region',
  admins: 'admins_of_organization',
});
