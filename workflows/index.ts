/** Every process, by the name under which Temporal knows it. */
export { applyProcessorEvent } from './applyProcessorEvent.js';
export { payRemittance } from './payRemittance.js';
