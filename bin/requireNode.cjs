/**
 * Ends the process with a message when Node is too old. `npm start` and other commands load this file before their own
 * code, which an old Node may not be able to parse. This file's syntax can be parsed by any Node.
 */
const { node } = require('../package.json').engines;

const needed = node.replace('>=', '').split('.').map(Number);
const present = process.versions.node.split('.').map(Number);
if (present[0] < needed[0] || (present[0] === needed[0] && present[1] < needed[1])) {
  console.error('This needs Node ' + needed.join('.') + ' or newer; this is ' + process.versions.node + '.');
  process.exit(1);
}
