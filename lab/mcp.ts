/** Messages of the Model Context Protocol to `/mcp`. They import nothing of the server. */

export interface Reply {
  status: number
  headers: Headers
  /** The JSON-RPC message. */
  body: any
  /** `structuredContent` of a result, or the content of a refusal. */
  content: any
  isError: boolean
}

const messageIn = (text: string, type: string | null): any => {
  if (text === '') return undefined
  if (!type?.startsWith('text/event-stream')) return JSON.parse(text)
  const [, data = 'null'] = /^data: (.*)$/m.exec(text) ?? []
  return JSON.parse(data)
}

export interface Message {
  method: string
  params?: object
  headers?: Record<string, string>
}

let ids = 0

/** Sends a message, as a client of 2025-11-25. */
export const post = async (
  { url }: { url: string },
  token: string | undefined,
  { method, params = {}, headers = {} }: Message,
): Promise<Reply> => {
  ids += 1
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ids, method, params }),
  })
  const body = messageIn(await response.text(), response.headers.get('content-type'))
  return { status: response.status, headers: response.headers, body, ...resultIn(body) }
}

const resultIn = (body: any): Pick<Reply, 'content' | 'isError'> => {
  const { isError = false, structuredContent, content = [] } = body?.result ?? {}
  const [{ text = 'null' } = {}] = content
  return { isError, content: structuredContent ?? JSON.parse(text) }
}
