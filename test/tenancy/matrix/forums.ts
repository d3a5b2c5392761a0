import type { Matrix } from './people.js';

/** In a forum, only the role there counts. Offices are part of it: `app.forum_role` returns the role that they give. */
const admins = { forumAdmin: 'own' } as const;
const moderators = { ...admins, forumModerator: 'own' } as const;
const members = { ...moderators, forumMember: 'own' } as const;
const readers = { ...members, forumReader: 'own' } as const;

const organizationAdmins = { platform: 'all', national: 'all' } as const;
const everybody = {
  ...organizationAdmins,
  regional: 'all',
  officer: 'all',
  president: 'all',
  member: 'all',
  advisor: 'all',
  alumni: 'all',
} as const;
/** Texts of their own, and those of a forum that they moderate. */
const authorsAndModerators = {
  platform: 'self',
  national: 'self',
  regional: 'self',
  officer: 'self',
  president: 'self',
  member: 'self',
  advisor: 'self',
  alumni: 'self',
  former: 'self',
  prospective: 'self',
  forumModerator: 'own, self',
  forumAdmin: 'own, self',
} as const;

export const forums: Matrix = {
  'forum settings': { read: organizationAdmins, write: organizationAdmins },
  forum: {
    list: everybody,
    read: readers,
    create: { ...organizationAdmins, regional: 'own', officer: 'own', president: 'own' },
    createAsAdmin: organizationAdmins,
    write: admins,
  },
  'forum search': { search: everybody, searchForum: readers },
  'forum member': {
    read: readers,
    join: everybody,
    leave: readers,
    remove: moderators,
    removeModerator: admins,
    write: admins,
  },
  'forum invitation': { read: moderators, invite: admins, answer: everybody },
  'own forum profile': { read: everybody, write: everybody },
  'own forum subscription': { list: everybody, read: readers, mute: readers, write: members },
  'people to mention in a forum': { read: readers },
  'forum join request': { read: moderators, request: everybody, decide: moderators },
  'moderation rule': { read: organizationAdmins, write: organizationAdmins },
  'forum flag': { write: members, appeal: readers },
  'forum case': { list: everybody, decide: moderators },
  'forum post': { read: readers, write: members, change: authorsAndModerators, moderate: moderators },
  'forum revision': { read: authorsAndModerators },
  'forum attachment': { upload: readers },
  'forum comment': { read: readers, write: members, change: authorsAndModerators },
};
