import type pg from 'pg'

/** The parts of a schema that programs rely on: names that administrators understand, with their definitions. */
type SchemaParts = Map<string, string>

/** Tables with their columns, functions, triggers and constraints. Plain indexes don't matter. */
export async function readSchema(client: pg.Client): Promise<SchemaParts> {
  const { rows } = await client.query<{ part: string; definition: string }>(`
    select 'table ' || relname as part, relkind::text as definition
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and relname not like 'migrations%'
    union all
    select 'column ' || attrelid::regclass || '.' || attname, format_type(atttypid, atttypmod)
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    union all
    -- A program that does not know the column leaves it out.
    select 'required column ' || attrelid::regclass || '.' || attname, ''
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
        and attnotnull and not atthasdef and attidentity = ''
    union all
    select 'rule ' || conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select 'rule ' || indrelid::regclass || '.' || indexrelid::regclass, pg_get_indexdef(indexrelid)
      from pg_index join pg_class c on c.oid = indexrelid
      where relnamespace = 'public'::regnamespace and indisunique
    union all
    select 'trigger ' || tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid)
      from pg_trigger where not tgisinternal
    union all
    select 'function ' || oid::regprocedure, pg_get_functiondef(oid)
      from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
  `)
  return new Map(rows.map(({ part, definition }) => [part, definition]))
}

/**
 * Lists how a migration breaks programs of the previous version, which keep running: parts that they use are missing or changed,
 * or their writes are rejected. Empty for a migration that only adds.
 */
export function breaksOf(before: SchemaParts, after: SchemaParts): string[] {
  const isOld = (table: string) => before.has(`table ${table}`)
  const removed = [...before].flatMap(([part, definition]) => {
    // Lifting a restriction is harmless.
    if (/^(rule|required column) /.test(part)) return []
    const now = after.get(part)
    if (now === undefined) return [`${part} is gone`]
    return now === definition ? [] : [`${part} is another`]
  })
  const refused = [...after].flatMap(([part, definition]) => {
    const [, kind, table = ''] = /^(rule|required column) ([^.]+)\./.exec(part) ?? []
    return kind && isOld(table) && before.get(part) !== definition ? [`${part} is new`] : []
  })
  return [...removed, ...refused]
}
