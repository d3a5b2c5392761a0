/** Membership fields that an import can set. */
export const MEMBERSHIP_FIELDS = [
  'status',
  'role',
  'joined_date',
  'graduation_year',
  'graduation_season',
  'pledge_class',
  'line_number',
  'crossing_semester',
  'crossing_date',
] as const;

/** Profile fields that an import can set. A person has one profile in an organization. */
export const PROFILE_FIELDS = [
  'preferred_name',
  'date_of_birth',
  'permanent_address_line1',
  'permanent_address_line2',
  'city',
  'state',
  'postal_code',
  'country',
] as const;

/** All fields of a person that an import can set, independent of memberships. */
export const PERSON_FIELDS = ['phone_number', ...PROFILE_FIELDS] as const;
export type PersonField = (typeof PERSON_FIELDS)[number];
export const isPersonField = (field: string): field is PersonField =>
  (PERSON_FIELDS as readonly string[]).includes(field);

/** All columns that an import can map. The first four identify the person and the chapter. */
export const IMPORT_FIELDS = [
  'email',
  'first_name',
  'last_name',
  'chapter',
  ...MEMBERSHIP_FIELDS,
  ...PERSON_FIELDS,
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** Maps a field to the number of its column, from 0. */
export type Mapping = Partial<Record<ImportField, number>>;

/** Returns a title in lower case, without accents and punctuation: `E-Mail Address` becomes `emailaddress`. */
export const titleKey = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');

/** Other common titles of each field. */
const OTHER_TITLES: Partial<Record<ImportField, readonly string[]>> = {
  email: ['mail', 'emailaddress', 'mailaddress', 'primaryemail'],
  first_name: ['first', 'givenname', 'forename'],
  last_name: ['last', 'surname', 'familyname'],
  chapter: ['chaptername', 'chapterid'],
  status: ['memberstatus', 'membershipstatus'],
  role: ['memberrole', 'membershiprole'],
  joined_date: ['joined', 'joinedon', 'joindate', 'membersince'],
  graduation_year: ['gradyear', 'yearofgraduation', 'classof'],
  graduation_season: ['gradseason', 'graduationterm'],
  pledge_class: ['class'],
  line_number: ['line'],
  crossing_semester: ['crossedsemester'],
  crossing_date: ['crossed', 'crossedon', 'datecrossed'],
  phone_number: ['phone', 'telephone', 'telephonenumber', 'mobile', 'mobilenumber', 'mobilephone', 'cell', 'cellphone'],
  preferred_name: ['preferredfirstname', 'nickname', 'goesby'],
  date_of_birth: ['birthday', 'birthdate', 'dob', 'born'],
  permanent_address_line1: ['address', 'address1', 'addressline1', 'permanentaddress', 'street', 'streetaddress'],
  permanent_address_line2: ['address2', 'addressline2'],
  city: ['town'],
  state: ['stateprovince', 'province'],
  postal_code: ['postcode', 'zip', 'zipcode'],
};

const BUILT_IN_TITLES = new Map(
  IMPORT_FIELDS.flatMap((field) =>
    [titleKey(field), ...(OTHER_TITLES[field] ?? [])].map((key) => [key, field] as const),
  ),
);

/**
 * Guesses the field of each column by its title.
 * @param remembered titles that earlier imports of this organization mapped, by `titleKey`
 */
export function guessMapping(titles: readonly string[], remembered: ReadonlyMap<string, ImportField>): Mapping {
  const mapping: Mapping = {};
  for (const titleTable of [remembered, BUILT_IN_TITLES])
    titles.forEach((title, column) => {
      const field = titleTable.get(titleKey(title));
      if (field !== undefined && !(field in mapping) && !Object.values(mapping).includes(column))
        mapping[field] = column;
    });
  return mapping;
}
