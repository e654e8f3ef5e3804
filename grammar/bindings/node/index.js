// What `new Parser().setLanguage(require("tree-sitter-cuda"))` is given.
const path = require("node:path");

const root = path.join(__dirname, "..", "..");

module.exports = require("node-gyp-build")(root);
module.exports.nodeTypeInfo = require(path.join(root, "src", "node-types.json"));
