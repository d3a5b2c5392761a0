/** Who may import whom: the layout says what code may do, this keeps it true. */
const only = (from, allowed) => ({
  name: `${from}-imports-only-${allowed.join('-and-')}`,
  severity: 'error',
  from: { path: `^${from}/` },
  to: {
    path: '^(api|models|workflows|activities|gateways|bin|development|test)/',
    pathNot: `^(${[from, ...allowed].join('|')})(/|[.]ts|$)`,
  },
});

module.exports = {
  forbidden: [
    only('api', ['models', 'gateways', 'workflows/contracts']),
    only('activities', ['models', 'gateways', 'workflows/contracts']),
    // Types of activities only: the workflow bundle could not hold more, and the compiler refuses value imports there.
    only('workflows', ['activities']),
    only('workflows/contracts', []),
    only('models', ['workflows/contracts']),
    only('gateways', ['workflows/contracts', 'workflows/schedules']),
    // What is delivered must run without what only development and proof need.
    only('bin', ['api', 'activities', 'models', 'gateways', 'workflows']),
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: false,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
