import 'reflect-metadata'
import { ClassSerializerInterceptor, Module, ValidationPipe } from '@nestjs/common'
import { ConfigModule, ConfigService } from '@nestjs/config'
import { APP_GUARD, NestFactory, Reflector } from '@nestjs/core'
import { JwtModule } from '@nestjs/jwt'
import { TypeOrmModule } from '@nestjs/typeorm'
import {
  AssignmentsController,
  AuditController,
  NotificationsController,
  RolesController,
  SettingsController,
  SystemController,
  UsersController,
  UsersService,
} from './admin.js'
import { AuthController, AuthGuard, AuthService, PermissionsGuard } from './auth.js'
import * as entities from './entities.js'

const all = Object.values(entities)

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }),
    TypeOrmModule.forRootAsync({
      inject: [ConfigService],
      useFactory: (config: ConfigService) => ({
        type: 'postgres' as const,
        url: config.getOrThrow<string>('DATABASE_URL'),
        entities: all,
        synchronize: config.get('SYNCHRONIZE') === 'true',
      }),
    }),
    TypeOrmModule.forFeature(all),
    JwtModule.registerAsync({
      global: true,
      inject: [ConfigService],
      useFactory: (config: ConfigService) => ({ secret: config.getOrThrow<string>('JWT_SECRET') }),
    }),
  ],
  controllers: [
    AuthController,
    UsersController,
    AssignmentsController,
    RolesController,
    AuditController,
    SettingsController,
    NotificationsController,
    SystemController,
  ],
  providers: [
    AuthService,
    UsersService,
    { provide: APP_GUARD, useClass: AuthGuard },
    { provide: APP_GUARD, useClass: PermissionsGuard },
  ],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] })
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }))
app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector)))
app.enableShutdownHooks()
await app.listen(Number(process.env['PORT']), '127.0.0.1')
