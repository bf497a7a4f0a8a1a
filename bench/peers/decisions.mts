/** Answers the questions of the bench, over HTTP and in a loop of the process itself. */
import type { FastifyInstance } from 'fastify'

/** The permissions of each role, and the roles of each user. */
export interface Data {
  roles: Record<string, string[]>
  users: Record<string, string[]>
}

interface Question {
  user: string
  permission: string
}

type Way = (question: Question) => boolean | Promise<boolean>

/** Serves each way of answering by its name, once the data has arrived. */
export const serveDecisions = (
  app: FastifyInstance,
  load: (data: Data) => Promise<void>,
  ways: Record<string, Way>,
) => {
  app.get('/health', async () => ({}))
  app.put<{ Body: Data }>('/data', { bodyLimit: 2 ** 24 }, async ({ body }) => {
    await load(body)
    return {}
  })
  for (const [name, way] of Object.entries(ways)) {
    app.post<{ Body: Question }>(`/${name}/check`, async ({ body }) => ({ allowed: await way(body) }))
    app.post<{ Body: { questions: Question[]; seconds: number } }>(`/${name}/loop`, ({ body }) =>
      loop(way, body.questions, body.seconds),
    )
  }
  return app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
}

/** Asks in turn until the time is over. */
const loop = async (way: Way, questions: Question[], seconds: number) => {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  let answers = 0
  while (performance.now() - startedAt < seconds * 1000) {
    for (const question of questions) {
      const answer = way(question)
      if (typeof answer !== 'boolean') await answer // a wait of nothing costs as much as some answers
    }
    answers += questions.length
  }
  const { user, system } = process.cpuUsage(before)
  return {
    answers,
    cpuMicros: (user + system) / answers,
    perSecond: (answers * 1000) / (performance.now() - startedAt),
  }
}
