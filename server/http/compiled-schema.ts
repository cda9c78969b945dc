import * as z from 'zod/mini'

const { $ZodArray, $ZodObjectJIT } = z.core

/** For `z.parse` and `z.safeParse`: it has no methods of its own. */
export type Compiled<S> = z.core.$ZodType<z.output<S>, z.input<S>>

/**
 * The same schema, faster: zod's large edition compiles its objects, its small one, in which the contract is written for
 * the browser's sake, goes through them by a loop. A message takes 1.0 µs instead of 2.6, a page 59 instead of 143.
 */
export function compiled<S extends z.core.$ZodType>(schema: S): Compiled<S> {
  return withParts(schema) as unknown as Compiled<S>
}

function withParts(schema: z.core.$ZodType): z.core.$ZodType {
  const def = schema._zod.def as z.core.$ZodObjectDef | z.core.$ZodArrayDef | { type: 'other' }
  if (def.type === 'array') return new $ZodArray({ ...def, element: withParts(def.element) })
  if (def.type !== 'object') return schema
  const parts = Object.entries(def.shape).map(([name, part]) => [name, withParts(part)])
  return new $ZodObjectJIT({ ...def, shape: Object.fromEntries(parts) })
}
