/** Options that all routes of this area share. */
export const foundation: { access: 'tenant'; tags: string[] } = { access: 'tenant', tags: ['foundation'] };
