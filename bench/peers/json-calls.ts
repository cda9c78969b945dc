import { type openConnection, requestText } from '../load/http-connection.ts'

type Connection = Awaited<ReturnType<typeof openConnection>>

/** Calls an API over a keep-alive connection. @throws Error if it fails */
export async function callJson(
  connection: Connection,
  [method, path]: [method: string, path: string],
  headers: Record<string, string>,
  body?: object,
): Promise<unknown> {
  const { status, body: answer } = await connection.ask(
    requestText(method, path, headers, body && JSON.stringify(body)),
  )
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${answer.toString().slice(0, 300)}`)
  return JSON.parse(answer.toString())
}
