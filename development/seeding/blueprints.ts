/** The contents of the seeded organizations. Slugs are fixed, so that a second run finds them and changes nothing. */
import { DEMO_LOGIN } from '../../config.js';

export interface ChapterBlueprint {
  name: string;
  designation: string;
  university: string;
  city: string;
  state: string;
  region: string;
  members: number;
  /** Number of open invoices per billed member. */
  openInvoices: number;
}

export interface Blueprint {
  slug: string;
  name: string;
  orgType: string;
  /** An HSL color in the API's format. */
  color: string;
  timezone: string;
  foundation: { name: string; legalName: string; ein: string; address: string };
  regions: { name: string; states: string[] }[];
  /** The first chapter is that of the demo officer. The admins are alumni of the second chapter. */
  chapters: ChapterBlueprint[];
}

/** Sizes of an organization; `npm start` seeds `demo`. */
export const SIZES = {
  demo: { officersChapter: 90, otherChapters: 36, openInvoices: 5 },
} as const;

export type Size = keyof typeof SIZES;

/** The one password of all seeded people. It works in development only, because the seed refuses production. */
export const DEMO_PASSWORD = DEMO_LOGIN.password;

const chapter = (
  name: string,
  designation: string,
  university: string,
  city: string,
  state: string,
  region: string,
) => ({
  name,
  designation,
  university,
  city,
  state,
  region,
});

/** Returns the two demo organizations at a size. */
export function blueprints(size: Size): Blueprint[] {
  const { officersChapter, otherChapters, openInvoices } = SIZES[size];
  const first = { members: officersChapter, openInvoices };
  const other = { members: otherChapters, openInvoices: 2 };
  return [
    {
      slug: 'northern-star',
      name: 'Order of the Northern Star',
      orgType: 'fraternity',
      color: 'hsl(214, 62%, 38%)',
      timezone: 'America/Chicago',
      foundation: {
        name: 'Northern Star Foundation',
        legalName: 'Northern Star Foundation, Inc.',
        ein: '12-3456789',
        address: '100 Harbor Drive, Chicago, IL 60601',
      },
      regions: [
        { name: 'Great Lakes', states: ['MI', 'OH', 'IL'] },
        { name: 'Gulf', states: ['TX', 'LA', 'FL'] },
      ],
      chapters: [
        { ...chapter('Alpha', 'Α', 'Lakeshore University', 'Ann Arbor', 'MI', 'Great Lakes'), ...first },
        { ...chapter('Beta', 'Β', 'Bayou State University', 'Baton Rouge', 'LA', 'Gulf'), ...other },
        { ...chapter('Gamma', 'Γ', 'Prairie College', 'Columbus', 'OH', 'Great Lakes'), ...other },
      ],
    },
    {
      slug: 'golden-laurel',
      name: 'Golden Laurel Society',
      orgType: 'sorority',
      color: 'hsl(43, 88%, 42%)',
      timezone: 'America/Los_Angeles',
      foundation: {
        name: 'Golden Laurel Foundation',
        legalName: 'Golden Laurel Educational Foundation',
        ein: '98-7654321',
        address: '200 Grove Street, Los Angeles, CA 90012',
      },
      regions: [
        { name: 'Pacific', states: ['CA', 'OR', 'WA'] },
        { name: 'Mountain', states: ['CO', 'UT', 'NM'] },
      ],
      chapters: [
        { ...chapter('Sequoia', 'I', 'Redwood University', 'Eugene', 'OR', 'Pacific'), ...first },
        { ...chapter('Summit', 'II', 'Front Range University', 'Boulder', 'CO', 'Mountain'), ...other },
        { ...chapter('Harbor', 'III', 'Harbor State University', 'Oakland', 'CA', 'Pacific'), ...other },
      ],
    },
  ];
}
