import { createParameterDecorator, Int } from 'type-graphql';
import { Call, type Extras } from './call.ts';
import type { Context } from './context.ts';

/** Injects the `Call` into a parameter of a resolver method. */
export const TheCall = () =>
  createParameterDecorator<Context>(
    ({ root, args, context, info }) => new Call(context, info, root as Extras, args),
  );

/** Injects the `Call` of a mutation that changes one record and takes its version; see `requireSeen`. */
export const TheVersionedCall = () =>
  createParameterDecorator<Context>(
    ({ root, args, context, info }) => {
      const { versao } = args as { versao?: number | null };
      const seen = versao == null ? {} : { seen: [{ version: versao }] };
      return new Call(context, info, (root as Extras | undefined) ?? seen);
    },
    {
      arg: {
        name: 'versao',
        typeFunc: () => Int,
        options: {
          nullable: true,
          description:
            'Version that the caller has seen: the change is refused when the record has another one by now',
        },
      },
    },
  );
