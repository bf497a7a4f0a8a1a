/** The methods of a client by their names, such as `users.list`. */
export const methodsOf = (value: object, name = ''): string[] =>
  Object.entries(value).flatMap(([key, child]: [string, unknown]) => {
    const whole = name === '' ? key : `${name}.${key}`
    return typeof child === 'function' ? [whole] : methodsOf(child as object, whole)
  })
