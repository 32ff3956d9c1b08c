import type { ApolloServerPlugin } from '@apollo/server';
import { invalidField, toGraphQLError } from '../errors.ts';
import type { Context } from '../request/context.ts';
import { graphqlTexts } from './messages.ts';

/** Names what is wrong with a persisted query. Apollo's errors about them have no code. */
export const persistedQueryErrors: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async didEncounterErrors({ errors, source, request, contextValue: { language } }) {
        // With a source, the persisted query was right.
        if (source !== undefined || !request.extensions?.['persistedQuery']) return;
        const asked = request.extensions['persistedQuery'] as { version?: unknown };
        const [member, message] =
          asked.version === 1
            ? ['sha256Hash', graphqlTexts.persistedHash]
            : ['version', graphqlTexts.persistedVersion];
        const field = `extensions.persistedQuery.${member}`;
        const shown = toGraphQLError(invalidField('BAD_REQUEST', field, message), language);
        for (const error of errors) {
          if (error.extensions['code'] !== undefined) continue;
          Object.assign(error.extensions, shown.extensions);
          Object.assign(error, { message: shown.message });
        }
      },
    };
  },
};
