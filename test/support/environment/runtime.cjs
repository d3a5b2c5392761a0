/**
 * Jest's module loader for test files that share one realm (environment.ts): modules of the project are loaded again for each file,
 * as always; packages are loaded once for each worker, by Node itself, as in production. Loading them for each file was most of a
 * run's work. Jest loads this untransformed.
 */
const asyncHooks = require('node:async_hooks');
const { statSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { compileFunction } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

/** Packages with state for the whole process, which one test file would leave to the next. */
const LOADED_ANEW = ['prom-client'];
/** Jest provides its own. */
const FRAMEWORK = /^(@jest\/|jest-|expect$|pretty-format$)/;
const ASYNC_HOOKS = ['async_hooks', 'node:async_hooks'];
const PACKAGE = /^(@[^/]+\/[^/]+|[^./@][^/]*)/;

/** By folder, since a package may have its own version of a dependency. */
const requires = new Map();
/** Compiled code, by file: the code is the same for every test file, its module objects are not. */
const compiled = new Map();
/** Resolved paths of modules: one worker's test files all resolve the same ones. */
const found = new (class extends Map {
  // Jest resets it after each file.
  clear() {}
})();
/** Resolved paths of names that jest.config.cjs maps: nearly all, since imports are named `.js`. */
const mapped = new Map();

function nodeRequire(from) {
  const folder = path.dirname(from);
  let known = requires.get(folder);
  if (!known) requires.set(folder, (known = createRequire(from)));
  return known;
}

exports.__esModule = true;
exports.default = class Runtime extends JestRuntime {
  /** The values that the file's modules keep by asynchronous context. */
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

  /** The process object is not a copy here: it stays as it is. */
  installGetBuiltinModule() {
    if (this._environment.global !== globalThis) super.installGetBuiltinModule();
  }
};

/**
 * Every promise of the process carries the context of every storage that was ever used, until it is disabled: with the storages of
 * earlier files, each file was slower than the last.
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

/** Neither reads nor transforms nor compiles again a file that an earlier test file of this worker used. */
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
