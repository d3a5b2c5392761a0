/**
 * Ends the process with a sentence where Node is too old. It runs before everything else, in words that any Node reads:
 * `npm start` and the like preload it, since later ones would not even parse what follows.
 */
const { node } = require('../package.json').engines;

const needed = node.replace('>=', '').split('.').map(Number);
const present = process.versions.node.split('.').map(Number);
if (present[0] < needed[0] || (present[0] === needed[0] && present[1] < needed[1])) {
  console.error('This needs Node ' + needed.join('.') + ' or newer; this is ' + process.versions.node + '.');
  process.exit(1);
}
