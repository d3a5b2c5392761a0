/** Replaces operations of a compiled module. All importers call the replacements from then on. */
export function replace<Module extends object>(module: Module, operations: { [Name in keyof Module]?: unknown }): void {
  Object.assign(module, operations);
}
