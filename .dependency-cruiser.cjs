/** Who may import whom, types included: the layout says what code may do, this keeps it true. */
const only = (from, allowed) => ({
  name: `${from}-imports-only-${allowed.join('-and-')}`,
  severity: 'error',
  from: { path: `^${from}/` },
  to: {
    path: '^(api|models|workflows|activities|services|gateways|bin|development|test|client|console)/',
    pathNot: `^(${[from, ...allowed].join('|')})(/|[.]ts|$)`,
  },
});

/**
 * Each area with those directly below it. What a lower area needs of a higher one it declares with `lateBound`
 * (models/lateBinding.ts).
 */
const BELOW = {
  database: [],
  identity: ['database'],
  'well-known': ['identity'],
  socialnet: ['identity'],
  notifications: ['identity'],
  organizations: ['notifications', 'socialnet'],
  forums: ['organizations'],
  finances: ['organizations'],
  foundation: ['finances'],
  intake: ['finances'],
  platform: ['organizations'],
  processes: ['forums', 'foundation', 'intake', 'platform'],
};
const withAllBelow = (area) => [area, ...BELOW[area].flatMap(withAllBelow)];

const EVERY_AREA = Object.keys(BELOW).join('|');
const ROOMS = 'api|models|activities|services';

/** In every room alike: `api/finances` may import `models/organizations`, and `models/organizations` nothing of `finances`. */
const directions = Object.keys(BELOW).map((area) => ({
  name: `${area}-is-above-${BELOW[area].join('-and-') || 'nothing'}`,
  severity: 'error',
  from: { path: `^(${ROOMS})/${area}/` },
  to: { path: `^(${ROOMS})/(${EVERY_AREA})/`, pathNot: `^(${ROOMS})/(${withAllBelow(area).join('|')})/` },
}));

module.exports = {
  forbidden: [
    only('api', ['services', 'models', 'gateways', 'workflows/contracts']),
    only('activities', ['services', 'models', 'gateways', 'workflows/contracts']),
    only('services', ['models', 'gateways', 'workflows/contracts']),
    // Types of activities only: the workflow bundle could not hold more, and the compiler refuses value imports there.
    only('workflows', ['activities']),
    only('workflows/contracts', []),
    only('models', ['workflows/contracts']),
    only('gateways', ['workflows/contracts', 'workflows/schedules']),
    // What is delivered must run without what only development and proof need.
    only('bin', ['api', 'activities', 'services', 'models', 'gateways', 'workflows']),
    // It knows the API as its clients do.
    only('console', ['client']),
    ...directions,
    {
      name: 'rows-are-changed-by-their-own-area',
      comment: 'The model of another area is not imported: its operations are called. An actor is no row.',
      severity: 'error',
      from: { path: `^(${ROOMS})/([^/]+)/` },
      to: { path: '^models/.+/[A-Z][A-Za-z]*[.]ts$', pathNot: '^models/($2/|identity/Actor[.]ts$)' },
    },
    {
      name: 'api-http-is-below-all-areas-of-the-api',
      comment: 'Of the models it knows who asks.',
      severity: 'error',
      from: { path: '^api/http/' },
      to: { path: `^(api|models)/(${EVERY_AREA})/`, pathNot: '^models/(database|identity)/' },
    },
    {
      name: 'no-area-sees-all-areas',
      severity: 'error',
      from: { path: `^(${ROOMS})/(${EVERY_AREA})/` },
      to: { path: '^models/wireAreas[.]ts$' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
