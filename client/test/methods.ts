/** The methods of a client by their names, such as `users.list`. */
export const methodsOf = (value: object, name = ''): string[] =>
  Object.entries(value).flatMap(([key, child]: [string, unknown]) => {
    const whole = name === '' ? key : `${name}.${key}`
    return typeof child === 'function' ? [whole] : methodsOf(child as object, whole)
  })

/** The method of that name, which takes ids and bodies of any kind. */
export const methodOf = (client: object, name: string): ((...args: unknown[]) => Promise<unknown>) =>
  name.split('.').reduce<any>((value, key: string) => value[key], client)
