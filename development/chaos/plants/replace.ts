/** Puts other operations in the place of a compiled module's own; whoever imports it calls these from then on. */
export function replace<Module extends object>(module: Module, operations: { [Name in keyof Module]?: unknown }): void {
  Object.assign(module, operations);
}
