import fc from 'fast-check';
import { words } from './fuzz-values.ts';

/** Usually JSON's media type; sometimes a similar one, another, or none. */
export const anyContentType = fc.oneof(
  { weight: 30, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'application/json, text/plain',
      ...words(`application/json;charset=utf-8 application/json;charset=utf-16 application/json;charset=latin1 text/json
        application/json;charset=x application/json;charset="utf-8 application/vnd.x+json text/plain application/xml x ;
        application/x-www-form-urlencoded multipart/form-data;boundary=x`),
    ),
  },
);

const someHeaders = fc.record(
  {
    accept: fc.constantFrom(
      'text/html',
      'application/octet-stream',
      '*/*;q=0',
      ',',
      'application/json;q=x',
      'a',
    ),
    'accept-language': fc.constantFrom('en', 'en;q=x', ',,,', '*', 'pt;q=0, en;q=1e9', 'x'.repeat(3000)),
    'idempotency-key': fc.oneof(
      fc.uuid(),
      fc.constantFrom('', ' ', 'a b', 'é', 'x'.repeat(256), '__proto__'),
    ),
    'content-encoding': fc.constantFrom('gzip', 'deflate', 'br', 'x', 'identity', 'gzip, gzip'),
    'x-forwarded-for': fc.constantFrom('1.2.3.4', '', 'x, y', '::1'),
    'x-http-method-override': fc.constantFrom('DELETE', 'GET'),
    origin: fc.constantFrom('null', 'http://evil.example', ''),
    range: fc.constantFrom('bytes=0-0', 'bytes=-1', 'x'),
    'if-none-match': fc.constantFrom('*', 'x', '"1"', 'W/"1-x", "2"', '"'.repeat(3000)),
    'if-match': fc.constantFrom('*', 'x', '"1"', 'W/"1-x", "2"', '"99999999999999999999"', '"-1"', '"1'),
    expect: fc.constant('100-continue'),
  },
  { requiredKeys: [] },
);

/** Usually none; sometimes headers that change how a request is read or answered, or that should not change it. */
export const oddHeaders = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: someHeaders },
);
