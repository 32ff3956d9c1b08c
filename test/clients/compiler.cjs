// The generators of REST clients need the compiler's JavaScript API, which TypeScript 7 does not have.
module.exports = require('@ts-morph/common').ts;
