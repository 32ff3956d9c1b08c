import { describe, expect, it } from 'vitest';
import { AppError } from '../src/errors.ts';
import { explain } from '../src/process/explain.ts';

describe('an explanation of a failure', () => {
  it('names the causes, and has a stack only of a fault of the service', () => {
    const refused = Object.assign(new AggregateError([new Error('connect ECONNREFUSED ::1:1')]), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    });
    const away = new AppError('UNAVAILABLE', { cause: refused });
    expect(explain(away)).toBe('Service unavailable\nECONNREFUSED');
    const ended = new Error('select 1', {
      cause: Object.assign(new Error('shutting down'), { code: '57P01' }),
    });
    expect(explain(ended)).toBe('select 1\nshutting down');
    expect(explain(new Error('Connection terminated unexpectedly'))).toBe(
      'Connection terminated unexpectedly',
    );
    expect(explain(new TypeError('x is not a function'))).toContain('\n    at ');
  });
});
