import type { App } from './app-type.ts'

/** Answers HEAD wherever the scope answers GET: caches and monitors ask so for public documents. */
export const answerHead = (app: App): void => {
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET')
      app.route({ ...route, method: 'HEAD', schema: { ...route.schema, hide: true } })
  })
}
