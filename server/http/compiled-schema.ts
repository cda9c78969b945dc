import * as z from 'zod/mini'

/** Pass it to `z.parse` or `z.safeParse`: it has no methods of its own. */
export type CompiledSchema<S> = z.core.$ZodType<z.output<S>, z.input<S>>

/**
 * Returns the same schema with its objects compiled to JavaScript. The contract uses zod/mini for the browser's sake, which
 * interprets them. Compiled, a message takes 1.0 µs instead of 2.6, a page 59 instead of 143.
 */
export function compileSchema<S extends z.core.$ZodType>(schema: S): CompiledSchema<S> {
  const known = compiled.get(schema) ?? compileParts(schema)
  compiled.set(schema, known)
  return known as unknown as CompiledSchema<S>
}

/** Several calls share a schema, and tests start many servers in a process. */
const compiled = new WeakMap<z.core.$ZodType, z.core.$ZodType>()

/** Returns other kinds of schema unchanged, and all of them if zod no longer exports its compiler. */
function compileParts(schema: z.core.$ZodType): z.core.$ZodType {
  const { $ZodArray, $ZodObjectJIT } = z.core as Partial<typeof z.core>
  if (!$ZodArray || !$ZodObjectJIT) return schema
  const def = schema._zod.def as z.core.$ZodObjectDef | z.core.$ZodArrayDef | { type: 'other' }
  if (def.type === 'array') return new $ZodArray({ ...def, element: compileParts(def.element) })
  if (def.type !== 'object') return schema
  const parts = Object.entries(def.shape).map(([name, part]) => [name, compileParts(part)])
  return new $ZodObjectJIT({ ...def, shape: Object.fromEntries(parts) })
}
