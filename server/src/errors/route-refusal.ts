import { AppError } from './app-error.ts'

/** The refusal of a route that the service asked itself. Its message can hold texts that somebody typed. */
export class RouteRefusal extends AppError {}
