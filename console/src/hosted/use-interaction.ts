import type { Interaction } from '@tenantry/client'
import { useCallback, useEffect, useState } from 'react'
import { isReason, send } from './send.ts'

/** Sends an answer of the person. Rejects with errors that the form of the step shows. */
export type Act = (name: string, body?: object) => Promise<void>

export interface StepProps {
  interaction: Interaction
  act: Act
}

/** A step that a mailed link completes in another tab. */
export interface PolledStepProps extends StepProps {
  /** Reads the present step. */
  load: () => Promise<void>
}

const pollMs = 10_000

/** Reads the step regularly while the tab is visible, and when the person returns to it. */
export const usePolling = (load: () => Promise<void>, isOn = true): void => {
  useEffect(() => {
    if (!isOn) return undefined
    const look = (): void => {
      if (document.visibilityState === 'visible') void load()
    }
    const timer = setInterval(look, pollMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [load, isOn])
}

/** The application of a sign-in, for a page that is opened again after the end of the sign-in. */
export interface KeptApplication {
  name: string
  /** The address of the application; "" if unknown. */
  url: string
}

const keyOf = (id: string): string => `tenantry.home.${id}`

const keepApplication = ({ id, application: { name, home_url: url } }: Interaction): void =>
  sessionStorage.setItem(keyOf(id), JSON.stringify({ name, url }))

export const findKeptApplication = (id: string): KeptApplication | undefined => {
  const kept = sessionStorage.getItem(keyOf(id))
  return kept === null ? undefined : (JSON.parse(kept) as KeptApplication)
}

interface State {
  /** Undefined before the first answer. */
  interaction: Interaction | undefined
  /** True if the service no longer knows the interaction. */
  isLost: boolean
  /** True if the person refused or cancelled. */
  isRefused: boolean
  /** Counts the shown steps, so that a repeated step is mounted again. */
  turn: number
  /** The reason why there is no first answer, or why another step has replaced the earlier one. */
  error: unknown
  /** New recovery codes, shown once before the next step. */
  codes: string[]
}

const begin: State = {
  interaction: undefined,
  isLost: false,
  isRefused: false,
  turn: 0,
  error: undefined,
  codes: [],
}

const stateAfter = ({ turn }: State, interaction: Interaction, changes: Partial<State> = {}): State => {
  keepApplication(interaction)
  const codes = interaction.recovery_codes ?? []
  return { ...begin, interaction, codes, turn: turn + 1, ...changes }
}

/** Reads the step again after another tab has signed in to the console. */
const useSignInElsewhere = (load: () => Promise<void>): void => {
  useEffect(() => {
    const look = (): void => void load()
    addEventListener('storage', look)
    return () => removeEventListener('storage', look)
  }, [load])
}

/** The interaction that the address names, and the functions that continue it. */
export const useInteraction = (id: string) => {
  const [state, setState] = useState(begin)
  const path = `/oauth2/interactions/${id}`

  /** Reads the present step. `error` is the reason why the earlier step no longer applies. */
  const load = useCallback(
    async (error?: unknown): Promise<void> => {
      try {
        const next = await send<Interaction>('GET', path)
        setState((former) => {
          const isSame = error === undefined && former.interaction?.step === next.step
          return isSame ? former : stateAfter(former, next, { error })
        })
      } catch (err) {
        const isLost = isReason(err, 'interactionUnknown')
        setState((former) => ({
          ...former,
          isLost,
          error: err,
          turn: isLost ? former.turn + 1 : former.turn,
        }))
      }
    },
    [path],
  )

  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- it sets state after the answer only
    void load()
  }, [load])

  useSignInElsewhere(load)

  const act: Act = async (name, body = {}) => {
    const isRefused = name === 'cancel' || ('allow' in body && body.allow === false)
    try {
      const next = await send<Interaction>('POST', `${path}/${name}`, body)
      setState((former) => stateAfter(former, next, { isRefused }))
    } catch (err) {
      if (!isReason(err, 'interactionUnknown', 'stepWrong', 'challengeDead')) throw err
      await load(err)
    }
  }

  const keepCodes = (): void => setState((former) => ({ ...former, codes: [], turn: former.turn + 1 }))

  return { ...state, act, load, keepCodes }
}

export type Flow = ReturnType<typeof useInteraction>
