/**
 * Jest's module loader for test files that share one realm (environment.ts): what the project wrote is loaded anew for each
 * file, as always; packages are loaded once per worker, by Node itself, as in production. Loading them anew for each file
 * was most of what a run of the tests did. Jest loads this untransformed.
 */
const asyncHooks = require('node:async_hooks');
const { statSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { compileFunction } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

/** Packages that remember, for the whole process, what one test file told them. */
const LOADED_ANEW = ['prom-client'];
/** Jest brings its own. */
const FRAMEWORK = /^(@jest\/|jest-|expect$|pretty-format$)/;
const ASYNC_HOOKS = ['async_hooks', 'node:async_hooks'];
const PACKAGE = /^(@[^/]+\/[^/]+|[^./@][^/]*)/;

/** By folder, since a package may have a version of its own of what it needs. */
const requires = new Map();
/** What was compiled, by file: the code is the same for every test file, what it makes is not. */
const compiled = new Map();
/** Where modules were found: of one worker's test files each looks for the same ones. */
const found = new (class extends Map {
  // Jest does so after each file.
  clear() {}
})();
/** The same of names that jest.config.cjs maps: nearly all, since what is imported is named `.js`. */
const mapped = new Map();

function nodeRequire(from) {
  const folder = path.dirname(from);
  let known = requires.get(folder);
  if (!known) requires.set(folder, (known = createRequire(from)));
  return known;
}

exports.__esModule = true;
exports.default = class Runtime extends JestRuntime {
  /** What the file's modules keep by asynchronous context. */
  storages = [];

  constructor(...given) {
    super(...given);
    const environment = given[1];
    this.oneRealm = environment.global === globalThis;
    if (!this.oneRealm) return;
    this._resolution.cjsCache = found;
    mapOnce(this._resolution);
    compileOnce(this);
  }

  requireModuleOrMock(from, name) {
    if (this.oneRealm && ASYNC_HOOKS.includes(name)) return (this.asyncHooks ??= asyncHooksOf(this.storages));
    const [named] = PACKAGE.exec(name) ?? [];
    const shared =
      this.oneRealm &&
      named !== undefined &&
      !this._resolution.isCoreModule(name) &&
      !LOADED_ANEW.includes(named) &&
      !FRAMEWORK.test(named);
    return shared ? nodeRequire(from)(name) : super.requireModuleOrMock(from, name);
  }

  teardown() {
    for (const storage of this.storages) storage.disable();
    super.teardown();
  }

  /** The process is not a copy here: it stays as it is. */
  installGetBuiltinModule() {
    if (this._environment.global !== globalThis) super.installGetBuiltinModule();
  }
};

/**
 * Every promise of the process carries the context of every storage that was ever used, until that is disabled: with those
 * of the files before, each file was slower than the last.
 */
function asyncHooksOf(storages) {
  class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
    constructor(...given) {
      super(...given);
      storages.push(this);
    }
  }
  return { ...asyncHooks, AsyncLocalStorage };
}

function mapOnce(resolution) {
  const map = resolution.getCjsMockModule.bind(resolution);
  resolution.getCjsMockModule = (from, name) => {
    const key = `${from}\0${name}`;
    let file = mapped.get(key);
    if (file === undefined) mapped.set(key, (file = map(from, name)));
    return file;
  };
}

/** Neither reads nor transforms nor compiles again what an earlier test file of this worker has used. */
function compileOnce({ executor, transformCache }) {
  const transform = transformCache.transform.bind(transformCache);
  transformCache.transform = (filename, options) => {
    const { mtimeMs, size } = statSync(filename);
    const known = compiled.get(filename);
    if (known?.mtimeMs === mtimeMs && known.size === size) {
      if (known.sourceMap) transformCache.sourceMaps.set(filename, known.sourceMap);
      return known.code;
    }
    const code = transform(filename, options);
    compiled.set(filename, { mtimeMs, size, code, sourceMap: transformCache.sourceMaps.get(filename) });
    return code;
  };
  executor.compile = (code, filename) => {
    const known = compiled.get(filename);
    if (known?.code !== code) return compileFunction(code, executor.injectedModuleParameters, { filename });
    return (known.run ??= compileFunction(code, executor.injectedModuleParameters, { filename }));
  };
}
