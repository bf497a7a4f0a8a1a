import { createElement, useState, type FunctionComponent, type ReactNode } from 'react'

/** Opens one of several dialogs, such as those of a row. */
export const useDialogs = <Kind extends string, Props extends object>(
  dialogs: Record<Kind, FunctionComponent<Props & { onClose: () => void }>>,
) => {
  const [opened, setOpened] = useState<ReactNode>()
  const onClose = (): void => setOpened(undefined)
  const open = (kind: Kind, props: Props): void =>
    setOpened(createElement(dialogs[kind], { ...props, onClose }))
  return { open, opened }
}
