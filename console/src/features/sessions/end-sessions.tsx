import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { useNotify } from '../../components/use-notify.ts'

interface EndSessionsProps {
  texts: { button: string; title: string; text: string; done: string }
  end: () => Promise<unknown>
  onEnded: () => Promise<void>
}

export const EndSessions = ({ texts, end, onEnded }: EndSessionsProps) => {
  const notify = useNotify()
  const [isAsked, setAsked] = useState(false)
  const ending = useMutation({
    mutationFn: end,
    onSuccess: async () => {
      setAsked(false)
      notify(texts.done)
      await onEnded()
    },
  })
  return (
    <>
      <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setAsked(true)}>
        {texts.button}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={texts.title}
        confirm={texts.button}
        {...mutationProps(ending)}
      >
        {texts.text}
      </ConfirmModal>
    </>
  )
}
