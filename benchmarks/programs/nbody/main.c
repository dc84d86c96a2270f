// Planets under gravity, symplectic integration; the total energy at the end.
#include "bench.h"

#define COUNT 5
#define YEAR 365.24

typedef struct {
  double x, y, z, vx, vy, vz, mass;
} Body;

static void advance(Body *bodies, double dt) {
  for (int i = 0; i < COUNT; i++) {
    Body a = bodies[i];
    for (int j = i + 1; j < COUNT; j++) {
      Body *b = &bodies[j];
      double dx = a.x - b->x, dy = a.y - b->y, dz = a.z - b->z;
      double d2 = dx * dx + dy * dy + dz * dz;
      double mag = dt / (d2 * sqrt(d2));
      a.vx -= dx * b->mass * mag;
      a.vy -= dy * b->mass * mag;
      a.vz -= dz * b->mass * mag;
      b->vx += dx * a.mass * mag;
      b->vy += dy * a.mass * mag;
      b->vz += dz * a.mass * mag;
    }
    // Those behind it do not look at it any more.
    a.x += dt * a.vx;
    a.y += dt * a.vy;
    a.z += dt * a.vz;
    bodies[i] = a;
  }
}

static double energy(const Body *bodies) {
  double e = 0;
  for (int i = 0; i < COUNT; i++) {
    const Body *a = &bodies[i];
    e += 0.5 * a->mass * (a->vx * a->vx + a->vy * a->vy + a->vz * a->vz);
    for (int j = i + 1; j < COUNT; j++) {
      const Body *b = &bodies[j];
      double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
      e -= a->mass * b->mass / sqrt(dx * dx + dy * dy + dz * dz);
    }
  }
  return e;
}

double run(int n) {
  const double solar = 4 * PI * PI;
  Body bodies[COUNT] = {
    {0, 0, 0, 0, 0, 0, solar},
    {4.84143144246472090, -1.16032004402742839, -0.103622044471123109,
     0.00166007664274403694 * YEAR, 0.00769901118419740425 * YEAR, -0.0000690460016972063023 * YEAR, 0.000954791938424326609 * solar},
    {8.34336671824457987, 4.12479856412430479, -0.403523417114321381,
     -0.00276742510726411899 * YEAR, 0.00499852801234917238 * YEAR, 0.0000230417297573763929 * YEAR, 0.000285885980666130812 * solar},
    {12.8943695621391310, -15.1111514016986312, -0.223307578892655734,
     0.00296460137564761618 * YEAR, 0.00237847173959480950 * YEAR, -0.0000296589568540237556 * YEAR, 0.0000436624404335156298 * solar},
    {15.3796971148509165, -25.9193146099879641, 0.179258772950371181,
     0.00268067772490389322 * YEAR, 0.00162824170038242295 * YEAR, -0.0000951592254519715870 * YEAR, 0.0000515138902046611451 * solar},
  };
  for (int i = 0; i < n; i++) advance(bodies, 0.01);
  return energy(bodies);
}
