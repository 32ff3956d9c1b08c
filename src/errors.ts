import { GraphQLError } from 'graphql';
import { messages, type Language, type Text } from './messages.ts';

/** All errors for clients (contract 5): stable code, HTTP status and title. */
export const catalogue = {
  BAD_REQUEST: { status: 400, title: { pt: 'Requisição inválida', en: 'Bad request' } },
  VALIDATION_FAILED: { status: 422, title: { pt: 'Dados inválidos', en: 'Validation failed' } },
  UNAUTHENTICATED: { status: 401, title: { pt: 'Não autenticado', en: 'Not authenticated' } },
  FORBIDDEN: { status: 403, title: { pt: 'Acesso negado', en: 'Forbidden' } },
  NOT_FOUND: { status: 404, title: { pt: 'Não encontrado', en: 'Not found' } },
  METHOD_NOT_ALLOWED: { status: 405, title: { pt: 'Método não permitido', en: 'Method not allowed' } },
  CONFLICT: {
    status: 409,
    title: { pt: 'Conflito com o que está gravado', en: 'Conflict with what is stored' },
  },
  INSUFFICIENT_STOCK: { status: 409, title: { pt: 'Estoque insuficiente', en: 'Insufficient stock' } },
  NOT_REVERSIBLE: {
    status: 409,
    title: { pt: 'Não há tanto a estornar', en: 'There is not so much to reverse' },
  },
  INVALID_STATE: { status: 409, title: { pt: 'Situação não permite a operação', en: 'Invalid state' } },
  DUPLICATE: { status: 409, title: { pt: 'Registro duplicado', en: 'Duplicate record' } },
  REFERENCED: { status: 409, title: { pt: 'Registro em uso', en: 'Record is referenced' } },
  GONE: { status: 410, title: { pt: 'Não está mais aqui', en: 'Gone' } },
  PRECONDITION_FAILED: {
    status: 412,
    title: { pt: 'Condição não satisfeita', en: 'Precondition failed' },
  },
  RESULT_TOO_LARGE: { status: 422, title: { pt: 'Resultado grande demais', en: 'Result too large' } },
  PAYLOAD_TOO_LARGE: { status: 413, title: { pt: 'Corpo grande demais', en: 'Payload too large' } },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: { pt: 'Tipo de conteúdo não aceito', en: 'Unsupported media type' },
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    title: { pt: 'Intervalo fora do conteúdo', en: 'Range not satisfiable' },
  },
  RATE_LIMITED: { status: 429, title: { pt: 'Tentativas demais', en: 'Too many attempts' } },
  UNAVAILABLE: { status: 503, title: { pt: 'Serviço indisponível', en: 'Service unavailable' } },
  INTERNAL: { status: 500, title: { pt: 'Erro interno', en: 'Internal error' } },
} as const satisfies Record<string, { status: number; title: Text }>;

export type ErrorCode = keyof typeof catalogue;

export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && code in catalogue;

/**
 * An invalid field: `field` is its GraphQL name, with a path into objects and arrays (`movimentacoes[1].quantidade`).
 */
export interface FieldError {
  field: string;
  message: Text;
}

/** Optional parts of an error. */
export interface ErrorDetails {
  detail?: Text;
  errors?: FieldError[];
  /** Seconds before a retry makes sense; becomes `Retry-After`. */
  retryAfter?: number;
  /** The encodings that the service accepts, if the body was refused for its `Content-Encoding`. */
  acceptEncoding?: string;
  cause?: unknown;
}

/** Maximum number of invalid fields in one answer. The rest of the request is not checked. */
export const MAX_ERRORS = 100;

/** An error for the client. Any other error is masked as INTERNAL. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super((details.detail ?? catalogue[code].title).en, { cause: details.cause });
    this.code = code;
    this.details = details.errors ? { ...details, errors: details.errors.slice(0, MAX_ERRORS) } : details;
  }
}

export const notFound = (): AppError => new AppError('NOT_FOUND', { detail: messages.noSuchRecord });

/** The error 400 for a query or path, or 422 for a body, with the list of invalid fields. */
export function invalid(code: 'BAD_REQUEST' | 'VALIDATION_FAILED', errors: FieldError[]): AppError {
  return new AppError(code, { detail: messages.brokenFields, errors });
}

/** The same for one field. */
export const invalidField = (
  code: 'BAD_REQUEST' | 'VALIDATION_FAILED',
  field: string,
  message: Text,
): AppError => invalid(code, [{ field, message }]);

/** The error 409 for a change that contradicts stored data. */
export const conflict = (detail: Text, errors?: FieldError[]): AppError =>
  new AppError('CONFLICT', { detail, ...(errors && { errors }) });

/**
 * The error 422 for an unpaginated list that exceeds the cap. `exported`: whether the operation can also answer a file.
 */
export const tooLarge = (cap: number, exported = false): AppError =>
  new AppError('RESULT_TOO_LARGE', { detail: messages.resultTooLarge(cap, exported) });

/** Conditions of the whole service and not of a field. GraphQL clients also get their HTTP status. */
const HTTP_CONDITIONS: ReadonlySet<ErrorCode> = new Set(['UNAVAILABLE', 'RATE_LIMITED']);

/** Converts an error for GraphQL and REST: extensions contain the code, the invalid fields and the seconds to wait. */
export function toGraphQLError(error: AppError, language: Language): GraphQLError {
  const { title, status } = catalogue[error.code];
  const { detail = title, errors, retryAfter, acceptEncoding } = error.details;
  const headers = new Map(retryAfter === undefined ? [] : [['retry-after', String(retryAfter)]]);
  const extensions: Record<string, unknown> = {
    code: error.code,
    ...(errors && { errors: errors.map(e => ({ field: e.field, message: e.message[language] })) }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(acceptEncoding && { acceptEncoding }),
    ...(HTTP_CONDITIONS.has(error.code) && { http: { status, headers } }),
  };
  return new GraphQLError(detail[language], { originalError: error, extensions });
}

/** A problem that the operator can fix. Its message says how; it is shown without a stack. */
export class OperatorError extends Error {}
