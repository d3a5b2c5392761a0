/**
 * Ends the process with a message when Node is too old. Preloaded by `npm start` and others in syntax that any Node
 * parses, because older versions could not parse the rest.
 */
const { node } = require('../package.json').engines;

const needed = node.replace('>=', '').split('.').map(Number);
const present = process.versions.node.split('.').map(Number);
if (present[0] < needed[0] || (present[0] === needed[0] && present[1] < needed[1])) {
  console.error('This needs Node ' + needed.join('.') + ' or newer; this is ' + process.versions.node + '.');
  process.exit(1);
}
