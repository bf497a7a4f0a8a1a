import { useEffect, useState } from 'react'
import { useAct } from './use-form.ts'

/** An answer that a page needs before it shows anything else. */
export const useRead = <T>(read: () => Promise<T>) => {
  const [data, setData] = useState<T>()
  const { error, run } = useAct(async () => setData(await read()))
  // oxlint-disable-next-line react/exhaustive-deps -- once: the address does not change without a load
  useEffect(run, [])
  return { data, error, retry: run }
}
