/** The order of a list, as the API names it: by id, or the newest first. */
export type Order = 'id' | '-id'

interface Item {
  id: number
}

interface Part<T> {
  items: T[]
  total: number
}

/** New items stand at the end by id, where they hide in the total that others have vanished; else in front. */
const orders = {
  id: {
    start: 0,
    isNext: (id: number, lastId: number) => id > lastId,
    isMoved: (vanished: number) => vanished !== 0,
  },
  '-id': {
    start: Infinity,
    isNext: (id: number, lastId: number) => id < lastId,
    isMoved: (vanished: number) => vanished > 0,
  },
}

/**
 * Every item of a list of such pages. Ids go one way only, so that nothing comes twice. What vanishes, by the loop itself
 * for one, moves what follows it to a page that was read already: when the total tells so, pages are read again, once for
 * each that brought something, so that it ends. What it does not tell: as many that come as go, or any if it is capped.
 */
export async function* everyItem<T extends Item>(
  order: Order,
  pageSize: number,
  askPage: (page: number) => Promise<Part<T>>,
): AsyncGenerator<T, void> {
  const { start, isNext, isMoved } = orders[order]
  let [lastId, known, mayGoBack] = [start, 0, false]
  for (let page = 1; ; page += 1) {
    const { items, total } = await askPage(page)
    const vanished = known - total
    known = total
    if (mayGoBack && isMoved(vanished)) {
      page = Math.max(0, page - 1 - Math.max(1, Math.ceil(vanished / pageSize)))
      mayGoBack = false
      continue
    }
    for (const item of items) {
      if (!isNext(item.id, lastId)) continue
      lastId = item.id
      mayGoBack = true
      yield item
    }
    if (items.length < pageSize) return
  }
}
